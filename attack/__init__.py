"""`make attack`: a fuzzer of upstream answers that finds its cases by the ABI of what it alters."""
