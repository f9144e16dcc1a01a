"""Saved games, progress and settings on disk: journals, the archive, its index, and the folders they are in.

store = Store.open()  # never raises; store.notice is the sentence to show, if any
saved = store.begin("circle-duel", (Who(name="Ann"), Who(name="Computer", level="hard")))
session.play(move)
await asyncio.wrap_future(saved.sync(session))  # or .result(); then show the move as played
store.close()
"""
