package dev.equipoise.app.account;

/** The names of the session cookie and the CSRF header. */
public final class SessionNames {

    public static final String COOKIE = "equipoise_session";

    /** The header that requests with a session must carry to change something. */
    public static final String CSRF_HEADER = "X-CSRF-Token";

    private SessionNames() {}
}
