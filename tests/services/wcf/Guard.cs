// SPDX-License-Identifier: Apache-2.0
// What a secured service looks at in each message, as Mono cannot do WCF's own message credentials: the
// Timestamp by WCF's four rules, a UsernameToken with PasswordDigest whose nonce must be new, and a
// MessageID that must be new. A message without a Security header is let through: that is how the host is warmed up.
using System;
using System.Collections.Generic;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.ServiceModel.Dispatcher;
using System.Text;
using System.Xml;

namespace Depot
{
    public class Guard : IDispatchMessageInspector
    {
        const string Secext = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
        const string Utility = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
        const string Password = "depot-secret";
        static readonly TimeSpan Skew = TimeSpan.FromMinutes(5);
        static readonly TimeSpan Validity = TimeSpan.FromMinutes(5);

        readonly string endpoint;
        readonly Ledger ledger;
        readonly HashSet<string> seen;

        // What was seen on one endpoint is seen on all that share it, as of a farm behind one address.
        public Guard(string endpoint, Ledger ledger, HashSet<string> seen)
        {
            this.endpoint = endpoint;
            this.ledger = ledger;
            this.seen = seen;
        }

        public object AfterReceiveRequest(ref Message request, IClientChannel channel, InstanceContext context)
        {
            int at = request.Headers.FindHeader("Security", Secext);
            if (at < 0)
            {
                return null;
            }
            var security = new XmlDocument();
            using (XmlDictionaryReader reader = request.Headers.GetReaderAtHeader(at))
            {
                security.LoadXml(reader.ReadOuterXml());
            }
            CheckTimestamp(security);
            CheckToken(security);
            CheckNew("MessageID", request.Headers.MessageId == null ? "" : request.Headers.MessageId.ToString());
            ledger.Count(endpoint, "Checked");
            return null;
        }

        public void BeforeSendReply(ref Message reply, object state)
        {
        }

        static FaultException Refused(string code, string why)
        {
            return new FaultException(new FaultReason(why), new FaultCode("Sender", new FaultCode(code, Secext)));
        }

        static string Text(XmlDocument security, string path)
        {
            var names = new XmlNamespaceManager(security.NameTable);
            names.AddNamespace("o", Secext);
            names.AddNamespace("u", Utility);
            XmlNode node = security.SelectSingleNode(path, names);
            if (node == null)
            {
                throw Refused("InvalidSecurity", path + " is missing");
            }
            return node.InnerText.Trim();
        }

        static DateTime Moment(XmlDocument security, string path)
        {
            return XmlConvert.ToDateTime(Text(security, path), XmlDateTimeSerializationMode.Utc);
        }

        static void CheckTimestamp(XmlDocument security)
        {
            DateTime now = DateTime.UtcNow;
            DateTime created = Moment(security, "//u:Timestamp/u:Created");
            DateTime expires = Moment(security, "//u:Timestamp/u:Expires");
            if (created >= expires || expires <= now - Skew || created >= now + Skew || created <= now - Skew - Validity)
            {
                throw Refused("InvalidSecurity", "An error occurred when verifying security for the message.");
            }
        }

        void CheckToken(XmlDocument security)
        {
            string nonce = Text(security, "//o:UsernameToken/o:Nonce");
            string created = Text(security, "//o:UsernameToken/u:Created");
            var hashed = new List<byte>(Convert.FromBase64String(nonce));
            hashed.AddRange(Encoding.UTF8.GetBytes(created + Password));
            using (var sha1 = System.Security.Cryptography.SHA1.Create())
            {
                string digest = Convert.ToBase64String(sha1.ComputeHash(hashed.ToArray()));
                if (digest != Text(security, "//o:UsernameToken/o:Password"))
                {
                    throw Refused("FailedAuthentication", "The digest is not that of the password.");
                }
            }
            CheckNew("Nonce", nonce);
        }

        void CheckNew(string kind, string value)
        {
            bool isNew;
            lock (seen)
            {
                isNew = seen.Add(kind + " " + value);
            }
            if (!isNew)
            {
                throw Refused("InvalidSecurity", "A replay attack has been detected: " + kind);
            }
        }
    }
}
