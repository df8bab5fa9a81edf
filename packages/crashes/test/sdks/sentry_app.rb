# An app with Ruby's sentry-ruby: an error with a cause.
require 'sentry-ruby'

Sentry.init do |config|
  config.dsn = ENV['DSN']
  config.release = 'shop@2.1.0+42'
  config.environment = 'staging'
  config.server_name = 'host.example'
  config.project_root = File.dirname(__dir__)
  config.background_worker_threads = 0
end
Sentry.set_user(id: 'eleven', email: 'ada@example.com')
Sentry.set_tags(tenant: 'acme')
Sentry.add_breadcrumb(Sentry::Breadcrumb.new(category: 'cart', message: 'opened by ada@example.com'))

def load_cart
  {}.fetch('cart')
end

def pay
  load_cart
rescue KeyError
  raise ArgumentError, 'no cart for ada@example.com'
end

begin
  pay
rescue ArgumentError => error
  Sentry.capture_exception(error)
end
