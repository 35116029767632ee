package dev.equipoise.app.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DatabindException;

/** Turns exceptions of controllers into problem responses. */
@RestControllerAdvice
class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    /** Fields whose values no response contains, not even one to their sender. */
    private static final Set<String> SECRETS = Set.of("password", "old", "secret", "token", "code");

    /** The SQLSTATE class of invalid values, such as a character that cannot be stored. */
    private static final String DATA_EXCEPTION = "22";

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(Problem problem, HttpServletRequest request) {
        return response(
                problem.code(),
                String.valueOf(problem.getMessage()),
                request,
                problem.violations(),
                Objects.requireNonNullElse(
                        problem.retryAfter(), (long) problem.code().retryAfterSeconds()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            HttpMessageNotReadableException unreadable, HttpServletRequest request) {
        return switch (unreadable.getCause()) {
            case DatabindException wrapped when wrapped.getCause() instanceof Problem problem ->
                    on(problem, request);
            case DatabindException mismatch ->
                    on(
                            Problem.of(
                                    ErrorCode.INVALID_REQUEST,
                                    List.of(BodyMismatch.violation(mismatch))),
                            request);
            case StreamConstraintsException excessive ->
                    response(ErrorCode.MALFORMED_BODY, limit(excessive), request);
            case JacksonException malformed ->
                    response(ErrorCode.MALFORMED_BODY, syntax(malformed), request);
            case null, default -> response(ErrorCode.MALFORMED_BODY, "a body is required", request);
        };
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            MethodArgumentTypeMismatchException mismatch, HttpServletRequest request) {
        String rule = ParameterMismatch.rule(mismatch);
        Object value = ParameterMismatch.value(mismatch);
        if (mismatch.getParameter().hasParameterAnnotation(RequestParam.class)) {
            var violation = new Violation("?" + mismatch.getName(), rule, value);
            return on(Problem.of(ErrorCode.INVALID_REQUEST, List.of(violation)), request);
        }
        return response(
                ErrorCode.INVALID_REQUEST,
                "%s %s, but was %s".formatted(mismatch.getName(), rule, value),
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            HandlerMethodValidationException invalid, HttpServletRequest request) {
        List<Violation> violations =
                invalid.getParameterValidationResults().stream()
                        .flatMap(ProblemAdvice::violations)
                        .toList();
        return on(Problem.of(ErrorCode.INVALID_REQUEST, violations), request);
    }

    private static Stream<Violation> violations(ParameterValidationResult result) {
        String parameter = "?" + result.getMethodParameter().getParameterName();
        return result.getResolvableErrors().stream()
                .map(error ->
                        new Violation(
                                parameter,
                                String.valueOf(error.getDefaultMessage()),
                                result.getArgument()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            MethodArgumentNotValidException invalid, HttpServletRequest request) {
        List<Violation> violations =
                invalid.getBindingResult().getFieldErrors().stream()
                        .map(error ->
                                new Violation(
                                        "/" + error.getField().replace('.', '/'),
                                        String.valueOf(error.getDefaultMessage()),
                                        SECRETS.contains(error.getField())
                                                ? null
                                                : error.getRejectedValue()))
                        .toList();
        return on(Problem.of(ErrorCode.INVALID_REQUEST, violations), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(AccessDeniedException denied, HttpServletRequest request) {
        return response(ErrorCode.FORBIDDEN, "The token does not allow this", request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            ConcurrencyFailureException conflict, HttpServletRequest request) {
        request.setAttribute(RetryOnConflict.OUTRUN, true);
        return DatabaseFailureLog.report(conflict)
                .map(it -> response(it, request))
                .orElseGet(() -> conflict(request));
    }

    /**
     * Handles two concurrent requests for the same name, and texts that the database cannot store.
     */
    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            DataIntegrityViolationException conflict, HttpServletRequest request) {
        if (conflict.getMostSpecificCause() instanceof SQLException error
                && String.valueOf(error.getSQLState()).startsWith(DATA_EXCEPTION)) {
            return response(
                    ErrorCode.INVALID_REQUEST,
                    "A text contains a character that cannot be stored, or a value is out of range",
                    request);
        }
        return conflict(request);
    }

    private static ResponseEntity<ProblemBody> conflict(HttpServletRequest request) {
        return response(
                ErrorCode.CONFLICT,
                "Another request changed the resource at the same time: try again",
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(NoResourceFoundException missing, HttpServletRequest request) {
        return response(
                ErrorCode.NOT_FOUND, "There is no resource at " + request.getRequestURI(), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            HttpRequestMethodNotSupportedException wrong, HttpServletRequest request) {
        String detail =
                "%s is not supported here: use one of %s"
                        .formatted(wrong.getMethod(), wrong.getSupportedHttpMethods());
        return ResponseEntity.status(ErrorCode.METHOD_NOT_ALLOWED.status())
                .headers(wrong.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(
                        ProblemBody.of(
                                ErrorCode.METHOD_NOT_ALLOWED,
                                detail,
                                request.getRequestURI(),
                                List.of()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            HttpMediaTypeNotAcceptableException wrong, HttpServletRequest request) {
        return response(
                ErrorCode.NOT_ACCEPTABLE,
                "The response can be one of " + wrong.getSupportedMediaTypes(),
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(
            HttpMediaTypeNotSupportedException wrong, HttpServletRequest request) {
        return response(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                "The body must be one of %s, but was %s"
                        .formatted(wrong.getSupportedMediaTypes(), wrong.getContentType()),
                request);
    }

    /** Handles parameters that the container cannot decode, and forms that are too large. */
    @ExceptionHandler
    ResponseEntity<ProblemBody> on(InvalidParameterException invalid, HttpServletRequest request) {
        return response(
                ContainerErrors.code(invalid.getErrorCode()),
                "The parameters cannot be read: they must be percent-encoded UTF-8, and bodies"
                        + " must not be forms",
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemBody> on(Exception failure, HttpServletRequest request) {
        if (failure instanceof ErrorResponse response
                && response.getStatusCode().is4xxClientError()) {
            return response(
                    ErrorCode.INVALID_REQUEST,
                    String.valueOf(response.getBody().getDetail()),
                    request);
        }
        Optional<DatabaseFailure> known = DatabaseFailureLog.report(failure);
        if (known.isPresent()) {
            return response(known.get(), request);
        }
        log.error("request failed: {} {}", request.getMethod(), request.getRequestURI(), failure);
        return response(ErrorCode.INTERNAL, "See the log of the service", request);
    }

    private static ResponseEntity<ProblemBody> response(
            ErrorCode code, String detail, HttpServletRequest request) {
        return response(code, detail, request, List.of());
    }

    private static ResponseEntity<ProblemBody> response(
            ErrorCode code, String detail, HttpServletRequest request, List<Violation> violations) {
        return response(code, detail, request, violations, code.retryAfterSeconds());
    }

    private static ResponseEntity<ProblemBody> response(
            DatabaseFailure failure, HttpServletRequest request) {
        return response(
                failure.code(), failure.detail(), request, List.of(), failure.retryAfterSeconds());
    }

    /**
     * @param retryAfter in seconds; 0 if a retry cannot succeed
     */
    private static ResponseEntity<ProblemBody> response(
            ErrorCode code,
            String detail,
            HttpServletRequest request,
            List<Violation> violations,
            long retryAfter) {
        ResponseEntity.BodyBuilder response =
                ResponseEntity.status(code.status())
                        .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (retryAfter > 0) {
            response.header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter));
        }
        return response.body(ProblemBody.of(code, detail, request.getRequestURI(), violations));
    }

    /** Returns which limit the body exceeds, without the class that has it. */
    private static String limit(StreamConstraintsException excessive) {
        return "The body is too complex: "
                + excessive.getOriginalMessage().replaceFirst(", from .*", ")");
    }

    /** Returns the parser's message without the Java classes that it names. */
    private static String syntax(JacksonException malformed) {
        return malformed.getOriginalMessage().replaceAll(" ?\\(?\\bjava(\\.\\w+)+\\)?:?", "");
    }
}
