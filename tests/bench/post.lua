-- SPDX-License-Identifier: Apache-2.0
-- wrk sends the body named by BENCH_BODY as a SOAP 1.1 message.
local file = assert(io.open(os.getenv("BENCH_BODY"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "text/xml; charset=utf-8"
file:close()
