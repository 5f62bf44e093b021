import { capLaws } from "@pod/test-harness";
import { capText, capToolResult } from "../src/index.js";

capLaws({ capText, capToolResult });
