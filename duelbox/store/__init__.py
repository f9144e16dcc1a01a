"""Saves games, progress and settings on disk, in journals, a history and its index.

store = Store.open()  # never raises; store.notice is a sentence to show, or None
saved = store.begin("circle-duel", (Who(name="Ann"), Who(name="Computer", level="hard")))
session.play(move)
await asyncio.wrap_future(saved.sync(session))  # or .result(); then show the move as played
store.close()
"""
