"""The price sources, one file each."""
