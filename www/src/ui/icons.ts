import { svg } from "./dom";

const PATHS = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  alert: "M12 7.5v6M12 17v.2",
  info: "M12 11v6M12 7.3v.2",
  card:
    "M3 9.5h18M6.5 15h4M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7" +
    "a1.5 1.5 0 0 1 1.5-1.5z",
  bank: "M3.5 9.5L12 4.5l8.5 5M5 9.5h14M6.5 9.5V17M10.2 9.5V17M13.8 9.5V17M17.5 9.5V17M4 19.5h16",
  wallet:
    "M4 8.5V17a1.8 1.8 0 0 0 1.8 1.8h12.4A1.8 1.8 0 0 0 20 17v-6.7a1.8 1.8 0 0 0-1.8-1.8H4zm0 0" +
    "c0-1.2.8-2 1.8-2H17M16 13.6h.2",
  cash: "M3 7.5h18v9H3zM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 10v.1M18 14v.1",
  person: "M12 12.2a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.6-3.6 3.5-5.6 7.5-5.6s6.9 2 7.5 5.6",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
  const attributes = { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" };
  return svg("svg", attributes, svg("path", { d: PATHS[name] }));
}
