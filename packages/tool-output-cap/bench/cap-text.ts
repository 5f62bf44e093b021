// C12: what capText costs, beside the least that a cap of its kind must do and beside its peers. For people: gate.ts judges.
import { describeLoad, describeMachine } from "./describe-machine.js";
import { formatTable, readTableNotes } from "./format-table.js";
import { measureWithMitata } from "./measure-with-mitata.js";
import { makeTextCases } from "./text-cases.js";

console.log("C12: capText at 16,384 bytes, medians by mitata");
console.log(`${describeMachine()}\nload average before: ${describeLoad()}\n`);
console.log(formatTable(await measureWithMitata(makeTextCases(process.argv.slice(2)))));
for (const note of readTableNotes()) console.log(note);
