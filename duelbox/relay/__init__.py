"""A relay: rooms where members on different machines append sealed entries, and read them in one order.

async with serving("127.0.0.1:0", path) as relay:  # path: an SQLite file, or None for memory
    ticket = await open_room(relay.address)
"""
