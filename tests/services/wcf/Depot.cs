// SPDX-License-Identifier: Apache-2.0
// The contract and the operations: a depot that reserves goods. Each operation shows one kind of end that
// a WCF service has: a reply, a typed fault, an exception nobody caught, one-way, one-way that takes its time.
using System;
using System.Runtime.Serialization;
using System.ServiceModel;
using System.Threading;

namespace Depot
{
    [DataContract(Namespace = Names.Contract)]
    public class Reservation
    {
        [DataMember(Order = 1)] public string Article { get; set; }
        [DataMember(Order = 2)] public int Pieces { get; set; }
        [DataMember(Order = 3)] public string Bay { get; set; }
    }

    [DataContract(Namespace = Names.Contract)]
    public class UnknownArticle
    {
        [DataMember(Order = 1)] public string Article { get; set; }
        [DataMember(Order = 2)] public string Advice { get; set; }
    }

    public static class Names
    {
        public const string Contract = "urn:example:depot";
    }

    [ServiceContract(Namespace = Names.Contract, Name = "Depot")]
    public interface IDepot
    {
        [OperationContract] Reservation Reserve(string article, int pieces);

        [OperationContract, FaultContract(typeof(UnknownArticle))] string Locate(string article);

        [OperationContract] int Recount(string bay);

        [OperationContract(IsOneWay = true)] void Announce(string notice);
    }

    [ServiceBehavior(InstanceContextMode = InstanceContextMode.Single,
                     ConcurrencyMode = ConcurrencyMode.Multiple,
                     IncludeExceptionDetailInFaults = false)]
    public class DepotService : IDepot
    {
        readonly string endpoint;
        readonly Ledger ledger;

        public DepotService(string endpoint, Ledger ledger)
        {
            this.endpoint = endpoint;
            this.ledger = ledger;
        }

        public Reservation Reserve(string article, int pieces)
        {
            ledger.Count(endpoint, "Reserve");
            return new Reservation { Article = article, Pieces = pieces, Bay = "N-" + pieces % 7 };
        }

        public string Locate(string article)
        {
            ledger.Count(endpoint, "Locate");
            throw new FaultException<UnknownArticle>(
                new UnknownArticle { Article = article, Advice = "look in the south depot" },
                new FaultReason("no such article"),
                new FaultCode("UnknownArticle", Names.Contract));
        }

        public int Recount(string bay)
        {
            ledger.Count(endpoint, "Recount");
            throw new InvalidOperationException("bay " + bay + " has no floor");
        }

        public void Announce(string notice)
        {
            ledger.Count(endpoint, "Announce");
        }
    }
}
