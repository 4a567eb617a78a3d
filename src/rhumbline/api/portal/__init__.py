"""The portal: pages for integrators. The server renders them; only signing needs a script."""
