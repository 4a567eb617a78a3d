"""`make attack`: a liar that finds its own cases, by the ABI of what it alters."""
