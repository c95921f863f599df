import { inject } from "vitest";
import type {} from "remitkit/testing";

// Each line below is an error.

inject("remitkitSandBox");
inject("remitkitSandbox").clock;
