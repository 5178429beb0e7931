# limpet in a container: the agent's terminals are inside, and nothing of your machine is but what you mount.
# `npm run image` prepares the folder that this is built from, and builds it. docs/image.md says how to use it.
#
# Nothing is installed or run while it is built, so it can be built without a network from any image that has Node.
ARG BASE=node:24-bookworm-slim
FROM ${BASE}

COPY app /opt/limpet
COPY --chown=1000:1000 home /home/limpet
ENV PATH=/opt/limpet/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/home/limpet

USER 1000:1000
WORKDIR /home/limpet
ENTRYPOINT ["node", "/opt/limpet/node_modules/limpet/dist/bin/main.js"]
CMD ["mcp"]
