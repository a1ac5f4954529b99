"""The server's libraries are imported here once, since their own deprecation warnings are no faults of ours."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import advanced_alchemy.extensions.litestar  # noqa: F401
    import litestar.testing  # noqa: F401
    import uvicorn.protocols.websockets.websockets_sansio_impl  # noqa: F401
