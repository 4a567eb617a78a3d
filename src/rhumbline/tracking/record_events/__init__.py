"""Events of records: how they are read, how long they are kept, and who is told."""
