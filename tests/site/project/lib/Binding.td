// A file outside of the circle that includes a part of it.
include "proj/Core/CoreDialect.td"
