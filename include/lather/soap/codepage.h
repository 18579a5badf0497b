/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_CODEPAGE_H
#define LATHER_SOAP_CODEPAGE_H

/*
 * Teaches libxml2 windows-1252 ("windows-1252", "cp1252"), which it knows by iconv only. Once,
 * before threads; a second call does nothing. The five bytes without a character become the C1
 * control of their value, as browsers and .NET read them.
 */
void codepage_register(void);

#endif
