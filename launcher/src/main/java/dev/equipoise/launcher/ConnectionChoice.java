package dev.equipoise.launcher;

import dev.equipoise.launcher.context.Context;
import dev.equipoise.launcher.context.Contexts;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the service that a command calls: that of the options, of the environment, or of a
 * context, in this order.
 *
 * @param service the option {@code --service}
 * @param token the option {@code --token}
 * @param ca the option {@code --ca}, of which an empty one counts as none
 * @param context the option {@code --context}
 * @param environment variables of the command
 * @param contexts contexts of the user
 */
record ConnectionChoice(
        @Nullable String service,
        @Nullable String token,
        @Nullable Path ca,
        @Nullable String context,
        Map<String, String> environment,
        Contexts contexts) {

    ConnectionChoice {
        ca = ServiceEndpoint.given(ca).orElse(null);
    }

    /**
     * Returns the service, or nothing if none is named.
     *
     * @throws UsageError if there is no such context, a URL is malformed, its token is missing, or
     *     {@code --ca} is given without a service that has a certificate
     */
    Optional<Connection> chosen() {
        if (context != null) {
            return Optional.of(ofContext(context));
        }
        Optional<String> url = given(service).or(() -> given(environment.get("EQUIPOISE_URL")));
        if (url.isPresent()) {
            URI address = Connection.address(url.get());
            var endpoint = new ServiceEndpoint(address, authoritiesOf(address));
            return Optional.of(new Connection(endpoint, tokenOf(address), null));
        }
        Optional<Connection> ofCurrent =
                Optional.ofNullable(contexts.current())
                        .filter(name -> contexts.named(name).isPresent())
                        .map(this::ofContext);
        if (ofCurrent.isEmpty() && ca != null) {
            throw new UsageError("--ca applies to a service: add --service, or log in");
        }
        return ofCurrent;
    }

    private Connection ofContext(String name) {
        if (service != null) {
            throw new UsageError("--context and --service both name a service: omit one");
        }
        Context chosen =
                contexts.named(name)
                        .orElseThrow(() ->
                                new UsageError(
                                        "there is no context %s; the contexts are %s"
                                                .formatted(name, contexts.contexts().keySet())));
        ServiceEndpoint endpoint =
                ca == null ? ServiceEndpoint.of(chosen) : new ServiceEndpoint(chosen.service(), ca);
        return new Connection(endpoint, given(token).orElse(chosen.token()), name);
    }

    /** Returns the file of certificate authorities, which belong to a service as its token does. */
    private @Nullable Path authoritiesOf(URI address) {
        return ServiceEndpoint.caOf(ca, environmentOf(address), address)
                .or(() ->
                        contextsOf(address)
                                .flatMap(it -> Stream.ofNullable(ServiceEndpoint.of(it).ca()))
                                .findFirst())
                .orElse(null);
    }

    private String tokenOf(URI address) {
        return given(token)
                .or(() -> given(environmentOf(address).get("EQUIPOISE_TOKEN")))
                .or(() -> contextsOf(address).map(Context::token).findFirst())
                .orElseThrow(() ->
                        new UsageError(
                                "%s needs a token: log in, or set EQUIPOISE_URL and EQUIPOISE_TOKEN"
                                        .formatted(address)));
    }

    /** Returns the environment, and nothing if the environment names another service. */
    private Map<String, String> environmentOf(URI address) {
        boolean isOfOther =
                given(environment.get("EQUIPOISE_URL"))
                        .filter(it -> !it.replaceFirst("/$", "").equals(address.toString()))
                        .isPresent();
        return isOfOther ? Map.of() : environment;
    }

    /** Returns the contexts of a service, the current one first. */
    private Stream<Context> contextsOf(URI address) {
        return Stream.concat(contexts.selected().stream(), contexts.contexts().values().stream())
                .filter(it -> it.service().equals(address));
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip).filter(it -> !it.isEmpty());
    }
}
