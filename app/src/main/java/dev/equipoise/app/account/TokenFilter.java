package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reads the bearer token and puts the caller into the security context, or answers 401. */
class TokenFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";
    private static final int MAX_TOKEN_LENGTH = 100;

    private final Tokens tokens;
    private final ProblemWriter problems;

    TokenFilter(Tokens tokens, ProblemWriter problems) {
        this.tokens = tokens;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Caller> caller = caller(header);
        if (caller.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            problems.write(
                    request, response, ErrorCode.UNAUTHENTICATED, "The token is not known here");
            return;
        }
        SecurityContextHolder.getContext().setAuthentication(authentication(caller.get()));
        chain.doFilter(request, response);
    }

    /** A request that waits is dispatched again by the container and must be known then as well. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    private Optional<Caller> caller(@Nullable String header) {
        return Optional.ofNullable(header)
                .filter(it -> it.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(it -> it.substring(BEARER.length()).strip())
                .filter(it -> it.length() <= MAX_TOKEN_LENGTH)
                .flatMap(tokens::authenticate);
    }

    private static UsernamePasswordAuthenticationToken authentication(Caller caller) {
        String[] roles =
                switch (caller) {
                    case Caller.Administrator _ -> new String[] {"ROLE_ADMINISTRATOR", "ROLE_USER"};
                    case Caller.Member _ -> new String[] {"ROLE_USER"};
                    case Caller.Newcomer _ -> new String[] {"ROLE_NEWCOMER"};
                    case Caller.Agent _ -> new String[] {"ROLE_AGENT"};
                };
        return UsernamePasswordAuthenticationToken.authenticated(
                caller, null, AuthorityUtils.createAuthorityList(roles));
    }
}
