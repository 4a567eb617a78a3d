"""The portal: pages on which integrators help themselves. Pages are made here; nothing but signing needs a script."""
