package dev.equipoise.app;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Suggestion;
import dev.equipoise.app.problem.Violation;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Rejects query parameters that an operation does not have: a misspelled filter would otherwise
 * count as an omitted one. Operations of libraries, pages and files are not checked.
 */
@Component
final class KnownParameters implements HandlerInterceptor, WebMvcConfigurer {

    private static final String OWN = KnownParameters.class.getPackageName();

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getQueryString() != null
                && request.getDispatcherType() == DispatcherType.REQUEST
                && handler instanceof HandlerMethod operation
                && operation.getBeanType().getPackageName().startsWith(OWN)) {
            requireKnown(request.getParameterMap().keySet(), names(operation.getMethod()));
        }
        return true;
    }

    private static void requireKnown(Set<String> given, Set<String> known) {
        List<Violation> unknown =
                given.stream()
                        .filter(it -> !known.contains(it))
                        .sorted()
                        .map(it -> new Violation("?" + it, rule(it, known), null))
                        .toList();
        if (!unknown.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, unknown);
        }
    }

    private static String rule(String name, Set<String> known) {
        return known.isEmpty()
                ? "is not a parameter; there are none here"
                : Suggestion.unknown("parameter", name, known);
    }

    private static Set<String> names(Method operation) {
        return Arrays.stream(operation.getParameters())
                .filter(it -> it.isAnnotationPresent(RequestParam.class))
                .map(KnownParameters::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(Parameter parameter) {
        String given =
                Objects.requireNonNull(
                                AnnotatedElementUtils.findMergedAnnotation(
                                        parameter, RequestParam.class))
                        .name();
        return given.isEmpty() ? parameter.getName() : given;
    }
}
