// SPDX-License-Identifier: Apache-2.0
// The service's own books: how often each operation ran on each endpoint. The tests hold them against the
// client's report. They are read over plain HTTP (no WCF, so without its pace): GET /counts answers one line
// "endpoint operation count" for each.
using System.Collections.Generic;
using System.Net;
using System.Text;

namespace Depot
{
    public class Ledger
    {
        readonly SortedDictionary<string, long> counts = new SortedDictionary<string, long>();

        public void Count(string endpoint, string operation)
        {
            string key = endpoint + " " + operation;
            lock (counts)
            {
                long sofar;
                counts.TryGetValue(key, out sofar);
                counts[key] = sofar + 1;
            }
        }

        public override string ToString()
        {
            var text = new StringBuilder();
            lock (counts)
            {
                foreach (var entry in counts)
                {
                    text.Append(entry.Key).Append(' ').Append(entry.Value).Append('\n');
                }
            }
            return text.ToString();
        }

        public void Publish(string prefix)
        {
            var listener = new HttpListener();
            listener.Prefixes.Add(prefix);
            listener.Start();
            listener.BeginGetContext(Answer, listener);
        }

        void Answer(System.IAsyncResult result)
        {
            var listener = (HttpListener)result.AsyncState;
            HttpListenerContext context = listener.EndGetContext(result);
            listener.BeginGetContext(Answer, listener);
            byte[] page = Encoding.ASCII.GetBytes(ToString());
            context.Response.ContentType = "text/plain";
            context.Response.ContentLength64 = page.Length;
            context.Response.OutputStream.Write(page, 0, page.Length);
            context.Response.Close();
        }
    }
}
