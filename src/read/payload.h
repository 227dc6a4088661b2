// SPDX-License-Identifier: MIT
// `payload: {mass, com, inertia}` of a link, in robot and parts files.
#ifndef LW_READ_PAYLOAD_H
#define LW_READ_PAYLOAD_H

#include "linkwork/model.h"
#include "read/document/document.h"

// Mass, com and inertia as for a link; false after reporting what is wrong.
bool lw_payload_read(lwDocument* document, lwNode* node, lwLinkDef* payload);

#endif
