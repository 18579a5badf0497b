/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_LOCATE_H
#define LATHER_SOAP_LOCATE_H

#include "lather/base/check.h"

/*
 * The existing file that a location means, relative to a folder; NULL when there is none. The
 * caller frees it. For "http://host/Service.svc?xsd=xsd0" these are tried: xsd0.xsd, xsd0.wsdl,
 * xsd0, Service.svc, Service.svc.xsd.
 */
char *locate_file(const char *folder, const char *location) MUST_USE;

#endif
