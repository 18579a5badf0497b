/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of the parcel service, in the language of gSOAP's compiler soapcpp2. Its comments give directives: */
//gsoap p service name: Parcels
//gsoap p service namespace: urn:example:parcels
//gsoap p service style: document
//gsoap p service encoding: literal
//gsoap p schema namespace: urn:example:parcels
//gsoap p schema elementForm: qualified
#import "wsse.h"
#import "wsa5.h"

struct p__TrackResponse {
    char *id;
    char *place;
};

int p__Track(char *id, struct p__TrackResponse *out);

struct p__ReturnResponse {
    char *id;
};

int p__Return(char *id, struct p__ReturnResponse *out);

int p__Announce(char *id, void);
