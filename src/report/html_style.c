/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the HTML page looks. Colours are named once and swapped for a dark screen; paper is always
 * light. Nothing is wider than the window: tables scroll inside their own frame, long words break.
 */
#include "lather/report/html_style.h"

static const char *const sheet[] = {
    ":root{--bg:#fff;--panel:#f5f6f8;--text:#1b1f24;--soft:#59636e;--rule:#d5dae0;--good:#1a7f37;",
    "--bad:#c4232b;--l1:#1f6feb;--l2:#0a8f8f;--l3:#c05b00;--l4:#8250df;--l5:#59636e;--bar:#1f6feb}"
    "\n",
    "@media(prefers-color-scheme:dark){:root{--bg:#14171b;--panel:#1d2127;--text:#e3e7eb;",
    "--soft:#9aa5b1;--rule:#353c45;--good:#4ac26b;--bad:#ff7b72;--l1:#6cb0ff;--l2:#39c5c5;",
    "--l3:#ffa657;--l4:#c297ff;--l5:#9aa5b1;--bar:#6cb0ff}}\n",
    "@media print{:root{--bg:#fff;--panel:#fff;--text:#000;--soft:#444;--rule:#bbb;--good:#1a7f37;",
    "--bad:#c4232b;--l1:#1f6feb;--l2:#0a8f8f;--l3:#c05b00;--l4:#8250df;--l5:#59636e;--bar:#1f6feb}}"
    "\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--bg);color:var(--text);",
    "font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}\n",
    "h1{font-size:1.35rem;margin:.2rem 0}h2{font-size:1.1rem;margin:2rem 0 .5rem;",
    "border-bottom:1px solid var(--rule);padding-bottom:.2rem}\n",
    "small,.soft{color:var(--soft);font-weight:normal}p{margin:.4rem 0}\n",
    ".verdict{display:inline-block;padding:.1rem .7rem;border-radius:.8rem;font-weight:600;",
    "border:2px "
    "solid;overflow-wrap:normal}.verdict.good{color:var(--good)}.verdict.bad{color:var(--bad)}\n",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;",
    "margin:1rem 0}.tile{background:var(--panel);border:1px solid var(--rule);border-radius:.5rem;",
    "padding:.5rem .7rem}.tile "
    "b{display:block;font-size:1.2rem;font-variant-numeric:tabular-nums}\n",
    "dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.15rem 1rem;margin:0}",
    "dt{color:var(--soft)}dd{margin:0}code,pre{font:.85rem/1.4 ui-monospace,monospace}\n",
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}",
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--rule);",
    "vertical-align:top}th{color:var(--soft);font-weight:600;overflow-wrap:normal}",
    "td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;",
    "overflow-wrap:normal}td.w{min-width:12rem;width:100%}td.c{min-width:8rem}",
    "td .verdict{font-size:.85rem;padding:.05rem .5rem}"
    "#conditions .verdict{white-space:nowrap}#conditions td{overflow-wrap:normal}#steps "
    "td.c{min-width:9.5rem}"
    "#steps th,#steps td,#times th,#times td,#messages th,#messages td{padding:.25rem .4rem}",
    "#outcomes td{vertical-align:middle}\n",
    ".share{background:var(--rule);height:.7rem;border-radius:.35rem;min-width:4rem;overflow:"
    "hidden}",
    ".share i{display:block;height:100%;background:var(--bad)}.share "
    "i.ok{background:var(--good)}\n",
    "@media(min-width:50rem){.tiles{grid-template-columns:repeat(auto-fit,minmax(7.2rem,1fr))}}\n",
    ".charts{display:grid;grid-template-columns:1fr;gap:0 2rem}",
    "@media(min-width:60rem){.charts.two{grid-template-columns:1fr 1fr}}\n",
    "figure.chart{margin:1rem 0;break-inside:avoid}figcaption{font-weight:600}\n",
    ".plot{display:grid;grid-template-columns:4.2rem 1fr;padding:.6rem 0 1.7rem}",
    ".ys{position:relative}.ys span{position:absolute;right:.5rem;transform:translateY(50%);",
    "font-size:.8rem;color:var(--soft);white-space:nowrap}\n",
    ".area{position:relative;height:13rem;border-left:1px solid var(--soft);",
    "border-bottom:1px solid var(--soft)}.short .area{height:7rem}",
    ".area svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}\n",
    ".xs span{position:absolute;top:100%;margin-top:.2rem;transform:translateX(-50%);",
    "font-size:.8rem;color:var(--soft);white-space:nowrap}",
    ".xs span.first{transform:none}.xs span.last{transform:translateX(-100%)}\n",
    "@media(max-width:40rem){.xs span.odd{display:none}.plot{grid-template-columns:3.4rem 1fr}",
    "body{padding:.7rem}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}\n",
    "path{vector-effect:non-scaling-stroke;fill:none}.grid{stroke:var(--rule);stroke-width:1}",
    ".line{stroke-width:2;stroke-linecap:round;stroke-linejoin:round;stroke:var(--l1)}",
    ".l2{stroke:var(--l2);stroke-dasharray:7 4}.l3{stroke:var(--l3)}",
    ".l4{stroke:var(--l4);stroke-dasharray:2 "
    "4}.l5{stroke:var(--l5);stroke-width:1.2}.solid{stroke-dasharray:none}",
    ".failed{stroke:var(--bad)}.bars{fill:var(--bar);stroke:none}.bars.failed{fill:var(--bad);",
    "stroke:none}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;margin:0;",
    "padding:0 0 0 4.2rem;font-size:.9rem}.legend "
    "svg{width:1.6rem;height:.5rem;margin-right:.4rem}\n",
    "details{margin:.6rem 0}summary{cursor:pointer;color:var(--soft)}",
    "pre{overflow-x:auto;background:var(--panel);border:1px solid var(--rule);padding:.7rem;",
    "border-radius:.5rem;overflow-wrap:normal}ul.notes{padding-left:1.2rem}\n",
    "@media "
    "print{#steps{font-size:8pt}body{max-width:none;font-size:11pt}details:not([open]){display:"
    "none}",
    ".scroll{overflow:visible}tr,.tile,#times,#outcomes{break-inside:avoid}h2{break-after:avoid}",
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n",
};

void html_style_write(struct buf *out)
{
    for (size_t i = 0; i < sizeof sheet / sizeof *sheet; i++) {
        buf_append_str(out, str_from(sheet[i]));
    }
}
