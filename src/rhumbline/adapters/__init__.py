"""One folder an upstream, each independent of the others; only `app` knows them."""
