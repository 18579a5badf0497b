// SPDX-License-Identifier: Apache-2.0
// Host.exe PORT [ENDPOINT...]: opens http://127.0.0.1:PORT/ENDPOINT for each name. A name that begins with
// "ws" has wsHttpBinding without security (SOAP 1.2, WS-Addressing), any other basicHttpBinding (SOAP 1.1).
// One ServiceHost each, because Mono's serves exactly ten requests a second per endpoint, whatever the load:
// that makes it a server of known capacity, and several endpoints let tests run side by side.
// A name that ends in "-guarded" looks at the Security header of each message (Guard.cs).
using System;
using System.Collections.Generic;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.ServiceModel.Dispatcher;
using System.Threading;

namespace Depot
{
    public static class Host
    {
        // A host that nobody stopped ends by itself; no test suite takes as long.
        static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

        public static int Main(string[] arguments)
        {
            string root = "http://127.0.0.1:" + int.Parse(arguments[0]) + "/";
            // Mono keeps one thread of the pool waiting for each endpoint; with fewer the second request waits
            // until the pool has grown.
            ThreadPool.SetMinThreads(200, 200);

            var ledger = new Ledger();
            var seen = new HashSet<string>();
            var open = new List<ServiceHost>();
            for (int i = 1; i < arguments.Length; i++)
            {
                open.Add(Open(root, arguments[i], ledger, seen));
            }
            ledger.Publish(root);
            Console.WriteLine("ready");
            Thread.Sleep(Lifetime);
            GC.KeepAlive(open);
            return 0;
        }

        static ServiceHost Open(string root, string name, Ledger ledger, HashSet<string> seen)
        {
            var host = new ServiceHost(new DepotService(name, ledger), new Uri(root + name));
            host.AddServiceEndpoint(typeof(IDepot), OnLoopbackOnly(name.StartsWith("ws")
                ? (Binding)new WSHttpBinding(SecurityMode.None)
                : new BasicHttpBinding()), "");
            host.Open();
            if (name.EndsWith("-guarded"))
            {
                var guard = new Guard(name, ledger, seen);
                foreach (ChannelDispatcher channel in host.ChannelDispatchers)
                {
                    foreach (EndpointDispatcher each in channel.Endpoints)
                    {
                        each.DispatchRuntime.MessageInspectors.Add(guard);
                    }
                }
            }
            return host;
        }

        // Without Exact Mono listens on every address of the machine. It forgets WSHttpBinding's own property on
        // the way, so it is set where it is read: on the transport element.
        static Binding OnLoopbackOnly(Binding binding)
        {
            var elements = new CustomBinding(binding);
            elements.Elements.Find<HttpTransportBindingElement>().HostNameComparisonMode =
                HostNameComparisonMode.Exact;
            return elements;
        }
    }
}
