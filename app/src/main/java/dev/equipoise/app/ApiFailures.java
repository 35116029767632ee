package dev.equipoise.app;

import dev.equipoise.app.account.SessionNames;
import dev.equipoise.app.problem.ProblemBody;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.BooleanSchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.stereotype.Component;

/**
 * Adds to each call of the OpenAPI description its possible errors and the headers that belong to
 * it. Both follow from the application itself: the callers from the security rules, everything else
 * from the parameters, bodies and responses of the controllers.
 */
@Component
class ApiFailures implements OpenApiCustomizer {

    private static final String KEY = "Idempotency-Key";
    private static final String EVENTS = "text/event-stream";
    private static final String UUID = "uuid";
    private static final List<String> LIMIT_HEADERS = List.of("RateLimit-Policy", "RateLimit");
    private static final String HEADERS = "#/components/headers/";

    /**
     * Paths of POST calls that store nothing: they need no key and cannot conflict with other
     * requests.
     */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("/api/v1/plans", "/api/v1/experiments/validate");

    /** Reading the session answers 404 to a request that a token authenticates. */
    private static final String SESSION = "/api/v1/session";

    private static final Authentication ANY_USER =
            UsernamePasswordAuthenticationToken.authenticated(
                    "any user",
                    "",
                    AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_ADMINISTRATOR"));

    private final ObjectProvider<WebInvocationPrivilegeEvaluator> access;

    ApiFailures(ObjectProvider<WebInvocationPrivilegeEvaluator> access) {
        this.access = access;
    }

    /** The description of each error status, the same for all calls. */
    private enum Failure {
        INVALID("400", "The request is invalid"),
        UNAUTHENTICATED("401", "The request carries neither a valid token nor a session"),
        FORBIDDEN("403", "The caller may not do this"),
        NOT_FOUND("404", "The resource does not exist, or the caller may not see it"),
        TOO_SLOW("408", "The body arrives too slowly"),
        CONFLICT("409", "The current state does not allow the request; the code says why"),
        CHANGED("412", "The resource has changed: If-Match names an older version"),
        TOO_LARGE("413", "The body is too large"),
        UNSUPPORTED("415", "The media type of the body is not supported"),
        KEY_REUSED("422", "The idempotency key was sent with another request"),
        TOO_OFTEN("429", "The caller exceeds its request rate"),
        BUSY("503", "The service or its database is overloaded or does not answer"),
        NO_ROOM("507", "The disk of the service or its database is full"),
        ANY("default", "Any other error");

        private final String status;
        private final String description;

        Failure(String status, String description) {
            this.status = status;
            this.description = description;
        }

        /**
         * Adds this error; a description that the controller gives for the same status takes
         * precedence.
         */
        void addTo(ApiResponses responses) {
            ApiResponse response =
                    Objects.requireNonNullElseGet(
                            responses.get(status),
                            () -> new ApiResponse().description(description));
            responses.put(status, response.content(problem()));
        }

        private static Content problem() {
            return new Content()
                    .addMediaType(
                            "application/problem+json",
                            new MediaType()
                                    .schema(new Schema<>().$ref("#/components/schemas/Problem")));
        }
    }

    /** The callers that may use a call. */
    private enum Callers {
        ANYBODY,
        USERS,
        AGENTS
    }

    @Override
    public void customise(OpenAPI api) {
        Components components = api.getComponents();
        ModelConverters.getInstance(true)
                .readAll(ProblemBody.class)
                .forEach(components::addSchemas);
        components
                .addHeaders(LIMIT_HEADERS.getFirst(), limitPolicy())
                .addHeaders(LIMIT_HEADERS.getLast(), limitState());
        api.getPaths()
                .forEach((path, item) ->
                        item.readOperationsMap()
                                .forEach((method, operation) ->
                                        describe(path, method, item, operation, components)));
    }

    private void describe(
            String path, HttpMethod method, PathItem item, Operation call, Components components) {
        Callers callers = callers(path, method);
        boolean changes = method != HttpMethod.GET && !WITHOUT_EFFECT.contains(path);
        secure(call, callers, method);
        describeVersions(method, item, call);
        if (changes && method == HttpMethod.POST && callers == Callers.USERS) {
            call.addParametersItem(idempotencyKey());
        }
        if (has(call, EVENTS)) {
            call.addParametersItem(lastEventId());
            call.addParametersItem(live());
        }
        ApiResponses responses = call.getResponses();
        failures(call, callers, changes, components).forEach(it -> it.addTo(responses));
        if (callers != Callers.ANYBODY) {
            describeLimit(responses);
        }
        Stream.ofNullable(responses.get("201"))
                .forEach(it -> it.addHeaderObject(HttpHeaders.LOCATION, location()));
        if (path.equals(SESSION) && method == HttpMethod.GET) {
            Failure.NOT_FOUND.addTo(responses);
        }
        Stream.of(Failure.TOO_OFTEN, Failure.BUSY, Failure.NO_ROOM)
                .flatMap(it -> Stream.ofNullable(responses.get(it.status)))
                .forEach(it -> it.addHeaderObject(HttpHeaders.RETRY_AFTER, seconds()));
    }

    /** Adds the headers of the caller's rate limit to the responses that always have them. */
    private static void describeLimit(ApiResponses responses) {
        responses.forEach((status, response) -> {
            if (status.startsWith("2") || status.equals(Failure.TOO_OFTEN.status)) {
                LIMIT_HEADERS.forEach(
                        it -> response.addHeaderObject(it, new Header().$ref(HEADERS + it)));
            }
        });
    }

    private Stream<Failure> failures(
            Operation call, Callers callers, boolean changes, Components components) {
        boolean isKnown = callers != Callers.ANYBODY;
        boolean hasBody = call.getRequestBody() != null;
        return Stream.of(
                        when(hasBody || !parameters(call).isEmpty(), Failure.INVALID),
                        when(isKnown || hasBody, Failure.UNAUTHENTICATED),
                        when(isKnown, Failure.FORBIDDEN),
                        when(namesSomething(call, components), Failure.NOT_FOUND),
                        when(hasBody, Failure.TOO_SLOW),
                        when(changes && isKnown, Failure.CONFLICT),
                        when(takes(call, HttpHeaders.IF_MATCH), Failure.CHANGED),
                        when(hasBody, Failure.TOO_LARGE),
                        when(hasBody, Failure.UNSUPPORTED),
                        when(takes(call, KEY), Failure.KEY_REUSED),
                        when(isKnown || hasBody, Failure.TOO_OFTEN),
                        when(isKnown || hasBody, Failure.BUSY),
                        // Authentication records the use of a token, also for calls that only read.
                        when(isKnown || hasBody, Failure.NO_ROOM),
                        described(call),
                        Stream.of(Failure.ANY))
                .flatMap(it -> it);
    }

    private static Stream<Failure> when(boolean may, Failure failure) {
        return may ? Stream.of(failure) : Stream.empty();
    }

    /** Returns the errors that the controller itself documents. */
    private static Stream<Failure> described(Operation call) {
        return Stream.of(Failure.values()).filter(it -> call.getResponses().containsKey(it.status));
    }

    private Callers callers(String path, HttpMethod method) {
        String uri = path.replace("{", "").replace("}", "");
        WebInvocationPrivilegeEvaluator rules = access.getObject();
        if (rules.isAllowed("", uri, method.name(), null)) {
            return Callers.ANYBODY;
        }
        return rules.isAllowed("", uri, method.name(), ANY_USER) ? Callers.USERS : Callers.AGENTS;
    }

    private static void secure(Operation call, Callers callers, HttpMethod method) {
        switch (callers) {
            case ANYBODY -> call.setSecurity(List.of());
            case USERS -> {
                if (method != HttpMethod.GET) {
                    call.addParametersItem(csrfToken());
                }
            }
            case AGENTS ->
                    call.setSecurity(
                            List.of(new SecurityRequirement().addList(ApiDescription.BEARER)));
        }
    }

    /** Documents the ETag of calls with If-Match, and of the calls that read the same resource. */
    private static void describeVersions(HttpMethod method, PathItem item, Operation call) {
        boolean isRead =
                method == HttpMethod.GET
                        && item.readOperations().stream()
                                .anyMatch(it -> takes(it, HttpHeaders.IF_MATCH));
        if (isRead || takes(call, HttpHeaders.IF_MATCH)) {
            ApiResponse success = Objects.requireNonNull(call.getResponses().get("200"));
            success.addHeaderObject(HttpHeaders.ETAG, tag());
        }
        if (isRead) {
            call.addParametersItem(ifNoneMatch());
            call.getResponses().addApiResponse("304", unchanged());
        }
    }

    /** Tells whether the call names resources by id, in its path, its query or its body. */
    private static boolean namesSomething(Operation call, Components components) {
        return parameters(call).stream()
                        .anyMatch(it -> "path".equals(it.getIn()) || isId(it.getSchema()))
                || bodies(call)
                        .map(schema -> resolved(schema, components))
                        .flatMap(ApiFailures::properties)
                        .anyMatch(ApiFailures::isId);
    }

    private static Stream<Schema<?>> bodies(Operation call) {
        return call.getRequestBody() == null
                ? Stream.empty()
                : call.getRequestBody().getContent().values().stream().map(MediaType::getSchema);
    }

    private static Schema<?> resolved(Schema<?> schema, Components components) {
        String reference = schema.get$ref();
        return reference == null
                ? schema
                : Objects.requireNonNull(
                        components
                                .getSchemas()
                                .get(reference.substring(reference.lastIndexOf('/') + 1)));
    }

    private static Stream<Schema<?>> properties(Schema<?> schema) {
        Map<String, ?> properties = schema.getProperties();
        return properties == null
                ? Stream.empty()
                : properties.values().stream().map(it -> (Schema<?>) it);
    }

    private static boolean isId(@Nullable Schema<?> schema) {
        return schema != null && (UUID.equals(schema.getFormat()) || isId(schema.getItems()));
    }

    private static List<Parameter> parameters(Operation call) {
        return Objects.requireNonNullElse(call.getParameters(), List.of());
    }

    private static boolean takes(Operation call, String header) {
        return parameters(call).stream().anyMatch(it -> header.equals(it.getName()));
    }

    private static boolean has(Operation call, String type) {
        return call.getResponses().values().stream()
                .anyMatch(it -> it.getContent() != null && it.getContent().containsKey(type));
    }

    private static Parameter idempotencyKey() {
        Parameter key =
                header(
                        KEY,
                        "chosen by the caller; within a day the service executes a request once"
                                + " per key and repeats its response");
        key.schema(new StringSchema().minLength(1).maxLength(255));
        return key;
    }

    private static Parameter lastEventId() {
        return header("Last-Event-ID", "the last event that the reader of the stream received")
                .schema(new IntegerSchema().format("int64"));
    }

    private static Parameter live() {
        return new QueryParameter()
                .name("live")
                .description(
                        "stream only: begins with the next event if there is no Last-Event-ID, and"
                                + " thins the points of metrics events as a chart needs them")
                .schema(new BooleanSchema()._default(false));
    }

    private static Parameter csrfToken() {
        return header(
                SessionNames.CSRF_HEADER,
                "the csrfToken of the session; required if a session authenticates the request");
    }

    private static Parameter ifNoneMatch() {
        return header(HttpHeaders.IF_NONE_MATCH, "the ETag of the version that the caller has");
    }

    private static ApiResponse unchanged() {
        return new ApiResponse()
                .description("The resource is unchanged since the version that If-None-Match names")
                .addHeaderObject(HttpHeaders.ETAG, tag());
    }

    private static Parameter header(String name, String description) {
        return new HeaderParameter().name(name).description(description).schema(new StringSchema());
    }

    private static Header tag() {
        return new Header().description("the version of the resource").schema(new StringSchema());
    }

    private static Header location() {
        return new Header()
                .description("path of the created resource")
                .schema(new StringSchema().format("uri-reference"));
    }

    private static Header limitPolicy() {
        return new Header()
                .description(
                        "limit of the caller: name, requests at once (q), and seconds in which an"
                                + " empty bucket becomes full (w), as in"
                                + " draft-ietf-httpapi-ratelimit-headers-10")
                .schema(new StringSchema())
                .example("\"user\";q=300;w=3");
    }

    private static Header limitState() {
        return new Header()
                .description(
                        "requests that the caller has left (r), and seconds until all are"
                                + " available again (t)")
                .schema(new StringSchema())
                .example("\"user\";r=299;t=1");
    }

    private static Header seconds() {
        return new Header()
                .description("seconds to wait before the next request")
                .schema(new IntegerSchema());
    }
}
