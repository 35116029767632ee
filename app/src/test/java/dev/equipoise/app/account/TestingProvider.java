package dev.equipoise.app.account;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An identity provider that authenticates everybody as one configurable user. */
final class TestingProvider implements AutoCloseable {

    static final String CLIENT = "equipoise-testing";

    private final HttpServer server;
    private final RSAKey key;
    private volatile String subject = "subject";
    private volatile String name = "ann";
    private volatile String nonce = "";
    private volatile String address = "somebody@lab.example";
    private volatile List<String> groups = List.of("researchers");

    TestingProvider() {
        try {
            key = new RSAKeyGenerator(2048).keyID("key").generate();
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
        server.createContext("/.well-known/openid-configuration", this::describe);
        server.createContext("/keys", it -> answer(it, new JWKSet(key.toPublicJWK()).toString()));
        server.createContext("/token", it -> answer(it, token()));
        server.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void setUser(String someSubject, String someName) {
        subject = someSubject;
        name = someName;
        address = "somebody@lab.example";
        groups = List.of("researchers");
    }

    /** Sets a user with a verified address and groups. */
    void setUser(String someSubject, String someAddress, List<String> someGroups) {
        setUser(someSubject, someSubject);
        address = someAddress;
        groups = someGroups;
    }

    /** Returns where the provider redirects the browser after the user has agreed. */
    URI agree(URI request) {
        Map<String, String> query = query(request);
        nonce = query.getOrDefault("nonce", "");
        return URI.create(
                "%s?code=agreed&state=%s"
                        .formatted(
                                query.get("redirect_uri"),
                                URLEncoder.encode(
                                        query.getOrDefault("state", ""), StandardCharsets.UTF_8)));
    }

    private static Map<String, String> query(URI request) {
        return Arrays.stream(request.getRawQuery().split("&"))
                .map(it -> it.split("=", 2))
                .collect(
                        Collectors.toMap(
                                it -> it[0],
                                it -> URLDecoder.decode(it[1], StandardCharsets.UTF_8)));
    }

    private void describe(HttpExchange exchange) throws IOException {
        String description =
                """
                {"issuer": "I", "authorization_endpoint": "I/authorize", "token_endpoint": "I/token",
                 "jwks_uri": "I/keys", "response_types_supported": ["code"],
                 "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["RS256"]}
                """;
        answer(exchange, description.replace("\"I", "\"" + issuer()));
    }

    private String token() {
        long now = Clock.systemUTC().millis();
        var claims =
                new JWTClaimsSet.Builder()
                        .issuer(issuer())
                        .subject(subject)
                        .audience(CLIENT)
                        .claim("nonce", nonce)
                        .claim("preferred_username", name)
                        .claim("email", address)
                        .claim("email_verified", true)
                        .claim("groups", groups)
                        .claim("iat", now / 1000)
                        .claim("exp", now / 1000 + 60)
                        .build();
        var signed =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("key").build(), claims);
        try {
            signed.sign(new RSASSASigner(key));
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
        return "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"expires_in\": 60, \"id_token\": \"%s\"}"
                .formatted(signed.serialize());
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
