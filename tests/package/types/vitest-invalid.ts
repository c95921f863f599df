// No line below a mark may compile.

import { inject } from "vitest";
import type {} from "remitkit/testing";

// @ts-expect-error a misspelt name
inject("remitkitSandBox");
// @ts-expect-error addresses are not a sandbox
inject("remitkitSandbox").clock;
