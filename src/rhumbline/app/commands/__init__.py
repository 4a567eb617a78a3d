"""The commands of ``rhumbline``, one file each."""
