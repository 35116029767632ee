package dev.equipoise.app.account;

/** By which names a browser's session goes with a request. */
public final class SessionNames {

    public static final String COOKIE = "equipoise_session";

    /** What a request of a session that changes something carries. */
    public static final String CSRF_HEADER = "X-CSRF-Token";

    private SessionNames() {}
}
