// SPDX-License-Identifier: Apache-2.0
// The service's own books: how often each operation ran on each endpoint, and when. The tests hold them
// against the client's report. They are read over plain HTTP (no WCF, so without its pace):
// GET /counts/ answers a line "endpoint operation count" for each,
// GET /calls/ENDPOINT the milliseconds at which its operations began, one a line, oldest first.
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;

namespace Depot
{
    public class Ledger
    {
        const int CallsKept = 10000;

        readonly Stopwatch clock = Stopwatch.StartNew();
        readonly SortedDictionary<string, long> counts = new SortedDictionary<string, long>();
        readonly Dictionary<string, Queue<double>> calls = new Dictionary<string, Queue<double>>();

        public void Count(string endpoint, string operation)
        {
            double now = clock.Elapsed.TotalMilliseconds;
            string key = endpoint + " " + operation;
            lock (counts)
            {
                long sofar;
                counts.TryGetValue(key, out sofar);
                counts[key] = sofar + 1;
                if (!calls.ContainsKey(endpoint))
                {
                    calls[endpoint] = new Queue<double>();
                }
                calls[endpoint].Enqueue(now);
                if (calls[endpoint].Count > CallsKept)
                {
                    calls[endpoint].Dequeue();
                }
            }
        }

        string CountsPage()
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

        string CallsPage(string endpoint)
        {
            var text = new StringBuilder();
            lock (counts)
            {
                if (calls.ContainsKey(endpoint))
                {
                    foreach (double at in calls[endpoint])
                    {
                        text.Append(at.ToString("F3", CultureInfo.InvariantCulture)).Append('\n');
                    }
                }
            }
            return text.ToString();
        }

        public void Publish(string root)
        {
            var listener = new HttpListener();
            listener.Prefixes.Add(root + "counts/");
            listener.Prefixes.Add(root + "calls/");
            listener.Start();
            listener.BeginGetContext(Answer, listener);
        }

        void Answer(System.IAsyncResult result)
        {
            var listener = (HttpListener)result.AsyncState;
            HttpListenerContext context = listener.EndGetContext(result);
            listener.BeginGetContext(Answer, listener);
            string path = context.Request.Url.AbsolutePath;
            byte[] page = Encoding.ASCII.GetBytes(
                path.StartsWith("/calls/") ? CallsPage(path.Substring("/calls/".Length)) : CountsPage());
            context.Response.ContentType = "text/plain";
            context.Response.ContentLength64 = page.Length;
            context.Response.OutputStream.Write(page, 0, page.Length);
            context.Response.Close();
        }
    }
}
