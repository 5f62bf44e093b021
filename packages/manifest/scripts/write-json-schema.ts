import { writeFileSync } from "node:fs";
import { createJsonSchema } from "./create-json-schema.js";

writeFileSync(new URL("../schema.json", import.meta.url), createJsonSchema());
