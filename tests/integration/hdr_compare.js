// SPDX-License-Identifier: Apache-2.0
// hdr_compare.js RESULT.json RESULT.hgrm: records the buckets of a result with hdr-histogram-js (NODE_PATH) and holds the
// distribution that lather wrote against the one that library works out. Prints a sentence for each difference.
"use strict";
const fs = require("fs");
const hdr = require("hdr-histogram-js");

const total = JSON.parse(fs.readFileSync(process.argv[2], "utf8")).times.total;
const text = fs.readFileSync(process.argv[3], "utf8");
const histogram = hdr.build({ bitBucketSize: 64, numberOfSignificantValueDigits: 3, useWebAssembly: false });
for (const [low, count] of total.buckets_ns) {
    histogram.recordValueWithCount(Math.min(Math.max(low, 1), total.max_ns), count);
}
const theirs = histogram.outputPercentileDistribution(5, 1e6).split("\n");
const ours = text.split("\n");
const say = (sentence) => console.log(sentence);
const near = (a, b) => Math.abs(a - b) <= 0.003 * Math.max(a, b) + 0.0011;

if (ours[0] !== theirs[0]) say(`the heading is "${ours[0]}", not "${theirs[0]}"`);
if (ours[1] !== "") say("no blank line follows the heading");
const rows = ours.filter((line) => /^ *\d/.test(line)).map((line) => line.trim().split(/ +/).map(Number));
const shape = /^ *\d+\.\d{3} [01]\.\d{12} +\d+( +\d+\.\d\d)?$/;
ours.filter((line) => /^ *\d/.test(line) && !shape.test(line)).forEach((line) => say(`no row of theirs looks like "${line}"`));
let last = 0;
for (const [value, level, count] of rows) {
    const expected = histogram.getValueAtPercentile(level * 100) / 1e6;
    if (!near(value, expected)) say(`at ${level} it has ${value}, they have ${expected}`);
    if (count < last || count > total.count || count < Math.floor(level * total.count)) say(`at ${level} it has counted ${count}`);
    last = count;
}
if (last !== total.count) say(`the last row counts ${last} of ${total.count}`);
const footer = (lines, name) => Number((lines.join("\n").match(new RegExp(`${name} *= *([\\d.]+)`)) || [])[1]);
// Theirs is the deviation of the whole population, ours that of a sample (docs/METRICS.md).
const sample = total.count > 1 ? Math.sqrt(total.count / (total.count - 1)) : 1;
for (const name of ["Mean", "StdDeviation", "Max", "Total count"]) {
    const expected = footer(theirs, name) * (name === "StdDeviation" ? sample : 1);
    const slack = name === "StdDeviation" ? 0.002 * footer(theirs, "Max") : 0;
    if (!near(footer(ours, name), expected) && Math.abs(footer(ours, name) - expected) > slack) {
        say(`${name} is ${footer(ours, name)}, theirs ${expected}`);
    }
}
console.log(`${rows.length} rows compared`);
