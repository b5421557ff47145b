// Charts over time that can be pointed at and zoomed: uPlot over the numbers that a figure carries.
// Without script, and on paper, the drawing of the server stands.
const HEIGHT = 230;
const DAY = 86_400;
const plots = new Map();
let library = null;

function load() {
  library ??= new Promise((done, failed) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("uPlot.min.css", import.meta.url).href;
    const script = document.createElement("script");
    script.src = new URL("uPlot.iife.min.js", import.meta.url).href;
    script.onload = done;
    script.onerror = failed;
    document.head.append(style, script);
  });
  return library;
}

// A canvas knows no custom properties: the browser says which colour a token stands for.
function colour(box, token) {
  box.style.color = `var(--${token})`;
  const found = getComputedStyle(box).color;
  box.style.color = "";
  return found;
}

function length(seconds) {
  if (seconds == null) return "–";
  const [by, unit] =
    seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : seconds <= 100 ? [1, "s"]
      : seconds < 6000 ? [1 / 60, "min"] : [1 / 3600, "h"];
  return `${Number((seconds * by).toPrecision(3))} ${unit}`;
}

function number(value) {
  return value == null ? "–" : Number(value.toPrecision(4)).toLocaleString("en");
}

function clock(seconds, wide) {
  const [day, time] = new Date(seconds * 1000).toISOString().split("T");
  return wide ? `${day.slice(5)} ${time.slice(0, 5)}` : time.slice(0, 5);
}

const isWide = (times) => times.length > 1 && times.at(-1) - times[0] > DAY;

// A step that still forms is a dashed line of its own, which the legend leaves out.
function data({ times, lines, forming }) {
  const rows = [times];
  for (const { values } of lines) {
    const last = values.length - 1;
    rows.push(forming ? values.slice(0, last).concat(null) : values);
    rows.push(values.map((value, at) => (forming && at >= last - 1 ? value : null)));
  }
  return rows;
}

function options(box, given) {
  const say = given.lengths ? length : number;
  const wide = isWide(given.times);
  const grid = { stroke: () => colour(box, "line"), width: 1 };
  const axis = { stroke: () => colour(box, "muted"), grid, ticks: grid, font: "12px system-ui, sans-serif" };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { y: given.lengths ? { distr: 3 } : { range: (_, least, most) => [0, Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => clock(tick, wide)), space: wide ? 90 : 60 },
      { ...axis, values: (_, ticks) => ticks.map((tick) => (tick == null ? "" : say(tick))), size: 84 },
    ],
    series: [
      { label: "UTC", value: (_, at) => (at == null ? "–" : clock(at, true)) },
      ...given.lines.flatMap((line) => {
        const one = {
          label: line.name,
          stroke: () => colour(box, line.colour),
          width: 2,
          // A length that has no neighbour is a point, and no line.
          points: { show: given.lengths, size: 4 },
          value: (_, value) => say(value),
        };
        return [one, { ...one, dash: [4, 4], class: "forming" }];
      }),
    ],
  };
}

function draw(figure) {
  const box = figure.querySelector(".explore");
  const given = JSON.parse(figure.dataset.series);
  const isEmpty = given.lines.every(({ values }) => values.every((value) => value == null));
  if (given.times.length < 2 || isEmpty) return;
  box.hidden = false;
  const before = plots.get(box);
  if (before && before.shape === shape(given)) {
    before.plot.setData(data(given), !isZoomed(before.plot));
    return;
  }
  before?.plot.destroy();
  const plot = new uPlot(options(box, given), data(given), box);
  plots.set(box, { plot, shape: shape(given) });
}

const shape = (given) => JSON.stringify([given.lengths, given.lines.map((line) => line.name)]);

// News must not move what a reader looks at.
function isZoomed(plot) {
  const [times] = plot.data;
  return plot.scales.x.min > times[0] || plot.scales.x.max < times.at(-1);
}

async function drawAll() {
  const figures = document.querySelectorAll("figure[data-series]");
  if (figures.length === 0) return;
  try {
    await load();
    figures.forEach(draw);
  } catch {
    // The drawing of the server stands.
  }
}

function fit() {
  for (const [box, { plot }] of plots) {
    if (!box.isConnected) plots.delete(box);
    else if (box.clientWidth !== plot.width) plot.setSize({ width: box.clientWidth, height: HEIGHT });
  }
}

function recolour() {
  plots.forEach(({ plot }) => plot.redraw());
}

export function startPlots() {
  drawAll();
  document.body.addEventListener("htmx:afterSettle", drawAll);
  addEventListener("resize", fit);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
