/** Draws docs/pictures/architecture.svg: who talks to whom, from the agent to the kernel. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const WIDTH = 860;
const HEIGHT = 470;
const COLORS = { outside: "#57606a", client: "#0969da", host: "#1f883d", kernel: "#8250df" };

const boxes = [
  { at: [20, 30, 180, 56], kind: "outside", title: "agent", text: "Claude Code, Codex, yours" },
  { at: [20, 150, 180, 56], kind: "outside", title: "person", text: "terminal or browser" },
  { at: [260, 30, 180, 56], kind: "client", title: "limpet mcp", text: "tools, answers as text" },
  { at: [260, 110, 180, 56], kind: "client", title: "limpet attach, top", text: "command line" },
  { at: [260, 190, 180, 56], kind: "client", title: "limpet web", text: "page, approvals, HTTP" },
  { at: [520, 30, 320, 216], kind: "host", title: "host", text: "one process of your user" },
  { at: [545, 92, 125, 56], kind: "host", title: "turns", text: "service" },
  { at: [690, 92, 125, 56], kind: "host", title: "journal", text: "memory, disk" },
  { at: [545, 170, 125, 56], kind: "host", title: "wait", text: "pure decisions" },
  { at: [690, 170, 125, 56], kind: "host", title: "probe", text: "who reads, how" },
  { at: [520, 310, 145, 56], kind: "kernel", title: "terminal", text: "PTY" },
  { at: [695, 310, 145, 56], kind: "kernel", title: "/proc, cgroups", text: "state, processes" },
  { at: [520, 400, 320, 50], kind: "outside", title: "program", text: "bash, python3, vim, a server" },
  { at: [260, 330, 180, 80], kind: "host", title: "host at a place", text: "ssh, container, fleet" },
];

const arrows = [
  { from: [200, 58], to: [260, 58], text: "MCP" },
  { from: [200, 172], to: [260, 140] },
  { from: [200, 184], to: [260, 216] },
  { from: [440, 58], to: [520, 58], text: "turn" },
  { from: [440, 138], to: [520, 138] },
  { from: [440, 218], to: [520, 218] },
  { from: [592, 246], to: [592, 310], text: "bytes" },
  { from: [767, 246], to: [767, 310], text: "facts" },
  { from: [592, 366], to: [592, 400] },
  { from: [767, 366], to: [767, 400] },
  { from: [520, 236], to: [440, 350], text: "same protocol" },
];

writeFileSync(join(root, "docs/pictures/architecture.svg"), draw());

function draw() {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    "<title>Agents and people use clients, such as limpet mcp; the clients send requests to the host, which owns the terminals</title>",
    "<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.s{fill:#57606a;font-size:12px}" +
      "@media(prefers-color-scheme:dark){text{fill:#d1d7e0}.s{fill:#9198a1}}</style>",
    '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">' +
      '<path d="M0 0L8 4L0 8z" fill="#8c959f"/></marker></defs>',
    ...arrows.map(arrow),
    ...boxes.map(box),
    "</svg>",
    "",
  ].join("\n");
}

function box({ at: [x, y, width, height], kind, title, text }) {
  const color = COLORS[kind];
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${color}" fill-opacity="0.1" stroke="${color}"/>`,
    `<text class="t" x="${x + 12}" y="${y + 23}">${title}</text>`,
    `<text class="s" x="${x + 12}" y="${y + 42}">${text}</text>`,
  ].join("\n");
}

function arrow({ from: [x1, y1], to: [x2, y2], text }) {
  const line = `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#8c959f" fill="none" marker-end="url(#a)" marker-start="url(#a)"/>`;
  if (!text) return line;
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2 - 7];
  return `${line}\n<text class="s" x="${x}" y="${y}" text-anchor="middle">${text}</text>`;
}
