# A server of bulge. The first stage builds a wheel with the page and the drawn maps, the second only installs it.
FROM python:3.11-slim-bookworm AS build
WORKDIR /bulge
COPY . .
RUN sh scripts/wheel.sh

FROM python:3.11-slim-bookworm
WORKDIR /home/bulge
COPY requirements/serve.txt ./
RUN pip install --no-cache-dir --require-hashes -r serve.txt
COPY --from=build /bulge/dist/*.whl /tmp/
RUN pip install --no-cache-dir --no-deps /tmp/bulge-*.whl && rm /tmp/bulge-*.whl \
    && useradd --uid 10001 --home-dir /home/bulge bulge \
    && install -d -o bulge /data
USER 10001
VOLUME /data
ENV BULGE_HOST=0.0.0.0 BULGE_PORT=8765 BULGE_DATABASE=/data/matches.sqlite BULGE_LOGS=json
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/api/health', timeout=4)"]
CMD ["bulge", "serve", "--no-open"]
