package dev.equipoise.app;

import dev.equipoise.app.problem.ServicePath;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Makes the {@code Location} of a created resource the path by which clients reach it: controllers
 * write the path within the service. An address with a host stays as it is.
 */
@RestControllerAdvice
final class LocationAdvice implements ResponseBodyAdvice<Object> {

    @Override
    public boolean supports(
            MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
        return ResponseEntity.class.isAssignableFrom(returned.getParameterType());
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returned,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        String path = response.getHeaders().getFirst(HttpHeaders.LOCATION);
        if (path != null
                && path.startsWith("/")
                && request instanceof ServletServerHttpRequest received) {
            response.getHeaders()
                    .set(
                            HttpHeaders.LOCATION,
                            ServicePath.forClients(received.getServletRequest(), path));
        }
        return body;
    }
}
