"""Build outside this folder: a `build/` left here would bring files of older versions into the next wheel."""

from tempfile import TemporaryDirectory

from setuptools import setup

with TemporaryDirectory() as folder:
    setup(options={"build": {"build_base": folder}})
