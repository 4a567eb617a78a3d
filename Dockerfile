# syntax=docker/dockerfile:1
# The service as an image: `docker build -t rhumbline .`; what it needs and how it is run is in docs/deployment.md.

# The pages' scripts and the reference's files, which the wheel contains; the running service needs no Node.
FROM node:22-bookworm-slim AS pages
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY web web
COPY clients/typescript/src clients/typescript/src
COPY src/rhumbline/api/pages/static src/rhumbline/api/pages/static
RUN node web/build.mjs

# The guide, whose builder stays here.
FROM python:3.11-slim-bookworm AS guide
WORKDIR /build
COPY requirements-setup.lock requirements-site.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements-setup.lock \
    && uv venv zensical \
    && VIRTUAL_ENV=zensical uv pip install --require-hashes -r requirements-site.lock
COPY CONTRIBUTING.md CHANGELOG.md SECURITY.md ./
COPY docs docs
COPY website website
COPY src/rhumbline/api/pages/static src/rhumbline/api/pages/static
RUN python -m website --zensical zensical/bin/zensical --to site

# The locked packages and the wheel, in the virtual environment that the last stage takes over.
FROM python:3.11-slim-bookworm AS environment
WORKDIR /build
COPY requirements-setup.lock requirements-service.lock requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements-setup.lock \
    && uv venv /opt/rhumbline \
    && VIRTUAL_ENV=/opt/rhumbline uv pip install --compile-bytecode --require-hashes -r requirements-service.lock
COPY pyproject.toml README.md LICENSE ./
COPY scripts/reference_files.py scripts/
COPY docs/guides docs/guides
COPY src src
COPY --from=pages /build/node_modules/swagger-ui-dist node_modules/swagger-ui-dist
COPY --from=pages /build/src/rhumbline/api/pages/static src/rhumbline/api/pages/static
COPY --from=guide /build/site src/rhumbline/api/reference/site
RUN uv build --wheel --build-constraints requirements.lock --require-hashes --out-dir dist \
    && VIRTUAL_ENV=/opt/rhumbline uv pip install --compile-bytecode --no-deps dist/*.whl

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 rhumbline \
    && useradd --uid 10001 --gid rhumbline --no-create-home --home-dir /var/lib/rhumbline --shell /usr/sbin/nologin rhumbline \
    && install -d -o rhumbline -g rhumbline /var/lib/rhumbline
COPY --from=environment /opt/rhumbline /opt/rhumbline
# Whoever runs the image says where the store is and which proxy it trusts; without a store it does not start.
ENV PATH=/opt/rhumbline/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    RHUMBLINE_SERVER__HOST=0.0.0.0 \
    RHUMBLINE_SERVER__PORT=8700 \
    RHUMBLINE_SERVER__ALLOW_PLAIN_HTTP=true \
    RHUMBLINE_METRICS__HOST=0.0.0.0 \
    RHUMBLINE_METRICS__PORT=9464 \
    RHUMBLINE_STORE__REQUIRED=true \
    RHUMBLINE_LOG__FORMAT=json
WORKDIR /var/lib/rhumbline
USER 10001:10001
EXPOSE 8700 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/health/ready', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["rhumbline"]
CMD ["serve"]
