export * from "./testing/card-frame.js";
export * from "./testing/fakes.js";
export * from "./testing/helpers.js";
export * from "./testing/sandbox.js";
export * from "./testing/triggers.js";
