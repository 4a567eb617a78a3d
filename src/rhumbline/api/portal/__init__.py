"""The portal: pages on which an integrator helps himself. Pages are made here; nothing but signing needs a script."""
