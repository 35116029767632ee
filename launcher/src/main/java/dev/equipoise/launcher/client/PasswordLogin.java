package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.ServiceEndpoint;
import java.io.PrintWriter;
import java.net.HttpCookie;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exchanges a name and a password for a token: begins a session as a browser does, creates a token,
 * and ends the session.
 *
 * @param err where it tells that a session has not ended
 */
record PasswordLogin(ServiceEndpoint service, PrintWriter err) {

    private static final String COOKIE = "equipoise_session";

    /** A token that this command has created. */
    record Issued(String id, String token) {

        /** Omits the token. */
        @Override
        public String toString() {
            return "Issued[%s]".formatted(id);
        }
    }

    /**
     * Returns a new token of the user.
     *
     * @param token what to create, as {@code POST /tokens} expects it
     */
    Issued issue(String user, String password, Map<String, Object> token) {
        HttpResponse<String> begun;
        try (var anonymous = service.api(Map.of())) {
            begun = anonymous.postForHeaders("session", Map.of("name", user, "password", password));
        }
        String csrf = JsonMapper.shared().readTree(begun.body()).path("csrfToken").asString("");
        try (var session =
                service.api(Map.of("Cookie", COOKIE + "=" + cookie(begun), "X-CSRF-Token", csrf))) {
            return issue(session, token);
        }
    }

    private Issued issue(ServiceApi session, Map<String, Object> token) {
        try {
            JsonNode issued = session.post("tokens", token);
            return new Issued(issued.path("id").asString(""), issued.path("token").asString(""));
        } finally {
            end(session);
        }
    }

    /** Ends the session; a failure, which it tells, loses no token that has been created. */
    private void end(ServiceApi session) {
        try {
            session.delete("session");
        } catch (LabFailure failure) {
            err.println("equipoise: the session has not ended: " + failure.getMessage());
        }
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .flatMap(it -> HttpCookie.parse(it).stream())
                .filter(it -> it.getName().equals(COOKIE))
                .map(HttpCookie::getValue)
                .findFirst()
                .orElseThrow(() -> new LabFailure("the service has begun no session"));
    }
}
