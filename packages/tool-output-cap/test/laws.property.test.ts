import { capLaws } from "@pod/test-harness/laws";
import { capText, capToolResult } from "../src/index.js";

capLaws({ capText, capToolResult });
