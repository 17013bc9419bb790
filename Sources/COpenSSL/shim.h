#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros that Swift does not see.

static inline int copenssl_set_oldest_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline void copenssl_forbid_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline int copenssl_print_name(BIO *sink, const X509_NAME *name) {
    return X509_NAME_print_ex(sink, name, 0, XN_FLAG_ONELINE);
}
