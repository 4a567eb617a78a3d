"""`make chaos`: nodes that lie, leaders that are frozen, clocks that are wrong, and whether a record is lost by it."""
