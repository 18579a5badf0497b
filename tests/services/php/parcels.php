<?php
// SPDX-License-Identifier: Apache-2.0
// A parcel service on PHP's SoapServer. It notes each call and the id it brought in PARCELS_CALLS, one line each; a GET
// shows them. SoapServer mirrors the request's SOAP version and decides all that is on the wire.

const PARCELS = 'urn:example:parcels';
const ADDRESSING = 'http://www.w3.org/2005/08/addressing';

function note(string $operation, string $id): void
{
    file_put_contents(getenv('PARCELS_CALLS'), "$operation $id\n", FILE_APPEND | LOCK_EX);
}

class Parcels
{
    private SoapServer $server;
    private ?string $messageId = null;

    public function __construct(SoapServer $server)
    {
        $this->server = $server;
    }

    // A header block of this name calls the method, before that of Body is called.
    public function MessageID(string $id): void
    {
        $this->messageId = $id;
    }

    public function Action(string $action): void
    {
    }

    public function To(string $to): void
    {
    }

    public function Track(object $in): object
    {
        note('Track', $in->id);
        if ($this->messageId !== null) { // not in MessageID: PHP 8.2 crashes on a header added there
            $this->server->addSoapHeader(new SoapHeader(ADDRESSING, 'RelatesTo', $this->messageId));
        }
        return (object) ['id' => $in->id, 'place' => 'Bergen'];
    }

    public function Return(object $in): object
    {
        note('Return', $in->id);
        throw new SoapFault('Client', "parcel {$in->id} is not here", null, (object) ['Lost' => $in->id]);
    }

    // An exception nobody caught: no Fault comes of it, but PHP's own 500.
    public function Stumble(object $in): object
    {
        note('Stumble', $in->id);
        throw new RuntimeException('the shelf broke');
    }

    public function Announce(object $in): void
    {
        note('Announce', $in->id);
    }
}

if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    header('Content-Type: text/plain');
    @readfile(getenv('PARCELS_CALLS'));
    exit;
}
ini_set('display_errors', '0');
$server = new SoapServer(__DIR__ . '/parcels.wsdl', ['cache_wsdl' => WSDL_CACHE_NONE]);
$server->setObject(new Parcels($server));
$server->handle();
